# Formula for Homebrew, to copy into a tap. `make release-check` checks its syntax and version. It has not been
# installed by brew yet.
class Thimble < Formula
  desc "Make pictures of push notifications fit under a memory cap"
  homepage "https://example.org/thimble"
  url "https://example.org/thimble/archive/refs/tags/v0.2.0.tar.gz"
  # The release has the digest of its source.
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"

  depends_on "pkgconf" => :build
  depends_on xcode: ["26.0", :build]
  depends_on "aom"
  depends_on "curl"
  depends_on "dav1d"
  depends_on "jpeg-turbo"
  depends_on "jpeg-xl"
  depends_on "libde265"
  depends_on "libpng"
  depends_on "libtiff"
  depends_on "little-cms2"
  depends_on macos: :sequoia
  depends_on "vips"
  depends_on "webp"

  uses_from_macos "python" => :build

  def install
    ENV["THIMBLE_INSTALLED"] = "1"
    system "swift", "build", "--disable-sandbox", "-c", "release", "-debug-info-format", "none"
    # The command finds its workers beside it.
    (libexec/"bin").install %w[thimble thimble-worker thimble-row-worker thimble-transfer].map { |name|
      ".build/release/#{name}"
    }
    bin.write_exec_script libexec/"bin/thimble"
    generate_completions_from_executable(bin/"thimble", "completions", shells: [:bash, :zsh, :fish])
    system "python3", "Packaging/manuals.py", ".build/release", "man"
    man1.install Dir["man/man1/*"]
    man5.install Dir["man/man5/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/thimble --version")
    system bin/"thimble", "doctor"
  end
end
