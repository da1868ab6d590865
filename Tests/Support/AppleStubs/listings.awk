# Makes a function of each listing in Swift of articles. Imports are those of Listings.swift.
/^```swift$/ { inside = 1; print "// " FILENAME; print "func listing" ++count "() async throws {"; next }
/^```$/ { if (inside) print "}"; inside = 0 }
inside && !/^import / { print }
