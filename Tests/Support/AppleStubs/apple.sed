# Makes of a source what Apple's compiler sees of it. Line numbers stay.
#
# Conditions that hold on all of Apple's platforms; PLATFORM is replaced by the checked one.
/^ *#(if|elseif) /{
    s/canImport\((Darwin|os|CryptoKit)\)/true/g
    s/canImport\((Glibc|FoundationNetworking)\)|os\(Linux\)/false/g
    s/os\(PLATFORM\)/true/g
    s/os\((iOS|macOS|visionOS|tvOS|watchOS)\)/false/g
    s/canImport\((UIKit|UserNotificationsUI)\)/HASUIKIT/g
}
# Casts between Foundation and Core Foundation, which only Apple's compiler knows.
s/ as (CF(String|URL|Data|MutableData|Dictionary|Array|Number))\>/ <--> \1.self/g
s/ as\? \[CFString: Any\]/ <--> [CFString: Any]?.self/g
s/(CopyTypeIdentifiers\(\)) as\? \[String\]/\1 <--> [String]?.self/
# Attributes for Objective-C, which compilers of Linux refuse.
s/@objc(\([^)]*\))? ?//g
