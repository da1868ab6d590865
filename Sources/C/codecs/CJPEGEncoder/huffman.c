#include "huffman.h"

#include <string.h>

typedef struct {
    uint32_t weight;
    int parent;
} node;

/// Symbols by falling occurrences; returns their number. At most 162 symbols make sorting by insertion
/// fast enough.
static int sort(uint8_t *symbols, const uint32_t *occurrences) {
    int count = 0;
    for (int symbol = 0; symbol < thimble_jpeg_most_codes; symbol++) {
        if (!occurrences[symbol])
            continue;
        int place = count++;
        for (; place > 0 && occurrences[symbols[place - 1]] < occurrences[symbol]; place--)
            symbols[place] = symbols[place - 1];
        symbols[place] = (uint8_t) symbol;
    }
    return count;
}

/// Shortens codes beyond the limit (T.81, figure K.3).
static void limit(int *counts, int longest) {
    for (int length = longest; length > thimble_jpeg_longest_code;) {
        if (counts[length] == 0) {
            length--;
            continue;
        }
        int shorter = length - 2;
        while (counts[shorter] == 0)
            shorter--;
        counts[length] -= 2;
        counts[length - 1]++;
        counts[shorter + 1] += 2;
        counts[shorter]--;
    }
}

void thimble_jpeg_codes_choose(thimble_jpeg_codes *it, const uint32_t *occurrences) {
    memset(it, 0, sizeof *it);
    it->count = sort(it->symbols, occurrences);
    // Without symbols, as in a file without rows, the tree has no inner node.
    if (it->count == 0)
        return;
    // Leaves by rising weight, then inner nodes in the order of their making, which is the same. The
    // first leaf reserves the code of all ones.
    const int leaves = it->count + 1;
    node nodes[2 * (thimble_jpeg_most_codes + 1)];
    nodes[0].weight = 0;
    for (int leaf = 1; leaf < leaves; leaf++)
        nodes[leaf].weight = occurrences[it->symbols[leaves - 1 - leaf]];
    int leaf = 0, inner = leaves;
    const int root = 2 * leaves - 2;
    for (int made = leaves; made <= root; made++) {
        nodes[made].weight = 0;
        for (int child = 0; child < 2; child++) {
            const int least =
                inner >= made || (leaf < leaves && nodes[leaf].weight <= nodes[inner].weight)
                ? leaf++
                : inner++;
            nodes[made].weight += nodes[least].weight;
            nodes[least].parent = made;
        }
    }
    int depths[2 * (thimble_jpeg_most_codes + 1)];
    int counts[thimble_jpeg_most_codes + 1] = {0};
    depths[root] = 0;
    for (int index = root - 1; index >= 0; index--) {
        depths[index] = depths[nodes[index].parent] + 1;
        if (index < leaves)
            counts[depths[index]]++;
    }
    limit(counts, it->count);
    int longest = thimble_jpeg_longest_code;
    while (counts[longest] == 0)
        longest--;
    counts[longest]--;
    for (int length = 1; length <= thimble_jpeg_longest_code; length++)
        it->counts[length - 1] = (uint8_t) counts[length];
}
