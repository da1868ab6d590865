// Values of the container's interface, so that its users import one module.
@_exported public import ThimbleBasics
