// An option is declared in terms of this module, so that users of options import one.
@_exported public import ThimbleOptions

/// An option of the service.
package typealias ServiceOption = OptionDeclaration<ServiceFlags, ServiceConfiguration>

extension ServiceConfiguration: OptionTarget {}
