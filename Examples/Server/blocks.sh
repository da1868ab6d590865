# Runs the blocks of a page in Markdown, to be sourced. The caller has `run LANGUAGE BLOCK`.
# shellcheck shell=bash

# blocks PAGE: runs each block in the order of the page; their number is in `count`.
blocks() {
    local line block='' language=''
    count=0
    while IFS= read -r line <&3; do
        case $line in
            '```') run "$language" "${block%$'\n'}"; language='' block=''; count=$((count + 1)) ;;
            '```'*) language=${line#'```'} ;;
            *) [ -z "$language" ] || block+=$line$'\n' ;;
        esac
    done 3<"$1"
}
