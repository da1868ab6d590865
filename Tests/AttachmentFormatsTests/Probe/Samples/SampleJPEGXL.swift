/// Files of 40 × 30 pixels, written by `cjxl` 0.7: red is 6x, green 8y, blue 3(x + y), alpha 255 − 5x.
enum SampleJPEGXL {
    static let rgb =
        "/wroMBBQXAgIAgEApAFLKKPcppPJg5zYUlA4+E5CQUHBEY0FRCIwMi74f4MANsZkAVA4N8YYo2OMMSrG"
        + "qI8JNrkSABQgBB5AEIoA2B4MNFQAviebywAAOxsAIABzOB4bWl8Ztztz2OcsyMewyqPLCFY+W10CQgc="
    static let boxed =
        "AAAADEpYTCANCocKAAAAFGZ0eXBqeGwgAAAAAGp4bCAAAAB/anhsY/8K6DAQUFwICAIBAKQBSyij3KaT"
        + "yYOc2FJQOPhOQkFBwRGNBUQiMDIu+H+DADbGZAFQODfGGKNjjDEqxqiPCTa5EgAUIAQeQBCKANgeDDRU"
        + "AL4nm8sAADsbACAAczgeG1pfGbc7c9jnLMjHsMqjywhWPltdAkIH"
    static let rgba =
        "/wroMLCguBAICBAAFAJLKKNsm1xrFgc5uaWgcPC6goLCwe8UFBzRWAMiESgoGFHNxKDfIIANGV+0DjIb"
        + "Y4zRMcYYFWNUDFbqhHMMVoqBGGNgJwAoQAg8gCAUAWFAAYB7v00Fk/iX+P8PAEDxAQA2gM2PhZIGGroh"
        + "AmqWt7EizWYkIWWPSlxLeQRLF18Hwjp0b1rI"
    static let grey =
        "/wroMBAUFwIIAgEArABLKDHdPKuHq8JIKCgJiCgwJk6cDRrseAFAATRXJgXmvAnDQTth3E8BHHce"
    static let lossy =
        "/wroMJBQXAgAEogA6AO/yigBAFChMsq4wcu5ni8/dFhM27jO0FbbFpYkioxjk3QCh5kEiWQrMNj1z2MA"
        + "v42JbPEgKxtpiRxTKn2h4gV/S/vglAdzT7Vw4wH1acWpb1u+KCy7d4wFSbjJNG8dtQEbReGJ6wxobYzX"
        + "KL3QyNR3b6ozhQUAQIUUyLNdSTrdxUvm5YkxxhSRnwAAkxVaeeXxLd53KSSpF61LIxLtUhnGxFcCEaD3"
        + "8j/I/IfAkMmbEkBeAMmEEtildm6nYoYx6vVhtPs4MWQYTaywBw/3/QFi/M8ihFIqe4enaIfb463+/Jzd"
        + "ev6m7WEnMIbXr9Sgv4uyYyuCBMeBAukA"
}
