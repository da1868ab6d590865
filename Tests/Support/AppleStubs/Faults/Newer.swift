// error: Newer/Newer.swift uses Int128 (iOS 18.0), but its floor is iOS 16.0
func product(_ left: Int64, _ right: Int64) -> Bool {
    let wide = Int128(left) * Int128(right)
    return wide > 0
}
