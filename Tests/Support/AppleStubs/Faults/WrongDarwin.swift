// error: value of type 'stat' has no member 'st_mtimespecs'
import Foundation

#if canImport(Darwin)
    func seconds(_ status: stat) -> Int { status.st_mtimespecs.tv_sec }
#endif
