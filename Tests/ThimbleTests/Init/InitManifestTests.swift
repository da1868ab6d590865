import Foundation
import Testing

/// PyYAML and Node.js read the manifests; both are in the list `test` of packages, so a machine without
/// them fails these tests.
@Suite("Manifests of thimble init", .timeLimit(.minutes(1)))
struct InitManifestTests {
    @Test("The manifest for XcodeGen is YAML, with both targets in the app's")
    func yaml() throws {
        try InitRun.inFolder { folder in
            #expect(try InitRun(tool: "xcodegen").write(in: folder).run.code == 0)
            let script = """
                import json, yaml
                print(json.dumps(yaml.safe_load(open("thimble.yml"))))
                """
            try script.write(
                to: folder.appending(path: "read.py"), atomically: true, encoding: .utf8)
            let run = try Command.shell("python3 read.py", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let manifest = try #require(
                JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
            let targets = try #require(manifest["targets"] as? [String: [String: Any]])
            #expect(Set(targets.keys) == ["Daily", "DailyService", "DailyContent"])
            let embedded = targets["Daily"]?["dependencies"] as? [[String: String]]
            #expect(embedded?.compactMap { $0["target"] } == ["DailyService", "DailyContent"])
            for (name, product) in [
                ("DailyService", "NotificationAdapters"),
                ("DailyContent", "NotificationContentAdapter"),
            ] {
                let target = try #require(targets[name])
                #expect(target["type"] as? String == "app-extension")
                let dependencies = target["dependencies"] as? [[String: String]]
                #expect(dependencies == [["package": "thimble", "product": product]])
                let settings = target["settings"] as? [String: [String: Any]]
                for key in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"] {
                    let path = try #require(settings?["base"]?[key] as? String)
                    let place = folder.appending(path: path)
                    #expect(FileManager.default.fileExists(atPath: place.path), "\(path)")
                }
            }
        }
    }

    @Test("The config plugin tells URLs of packages from paths")
    func places() throws {
        for (package, place) in [
            ("https://example.org/thimble.git", "null"),
            ("git@example.org:thimble/thimble.git", "null"),
            ("../thimble", "\"../../thimble\""),
        ] {
            try InitRun.inFolder { folder in
                let run = try Command.shell(
                    """
                    set -e
                    thimble init --for expo --bundle-id org.example.daily --package '\(package)' >/dev/null
                    node -p 'JSON.stringify(
                        require("./plugins/with-thimble").packageFolder("/app", "/app/ios"))'
                    """, in: folder)
                #expect(run.code == 0, "\(run.errors)")
                #expect(run.output.trimmingCharacters(in: .newlines) == place, "\(package)")
            }
        }
    }

    /// A project with the two targets of `@bacons/apple-targets`, as the npm package `xcode` parses it.
    private static let objects = """
        const phase = { isa: "PBXFrameworksBuildPhase", files: [] };
        const objects = {
          PBXProject: { P: { isa: "PBXProject" }, P_comment: "Project object" },
          PBXNativeTarget: {
            S: { isa: "PBXNativeTarget", name: "DailyService", buildPhases: [{ value: "F" }] },
            S_comment: "DailyService",
            C: { isa: "PBXNativeTarget", name: '"DailyContent"', buildPhases: [] },
            C_comment: "DailyContent",
          },
          PBXFrameworksBuildPhase: { F: phase, F_comment: "Frameworks" },
        };
        """

    @Test("The config plugin adds the package once, and each product to its target")
    func plugin() throws {
        try InitRun.inFolder { folder in
            #expect(try InitRun(tool: "expo").write(in: folder).run.code == 0)
            let script = """
                const assert = require("assert");
                const { addPackage } = require("./plugins/with-thimble");
                \(Self.objects)
                addPackage(objects, "../../thimble");
                const once = JSON.stringify(objects);
                addPackage(objects, "../../thimble");
                assert.equal(JSON.stringify(objects), once);
                const keys = (section) => Object.keys(section).filter((key) => !key.endsWith("_comment"));
                const [reference] = keys(objects.XCLocalSwiftPackageReference);
                assert.match(reference, /^[0-9A-F]{24}$/);
                assert.equal(
                  objects.XCLocalSwiftPackageReference[reference].relativePath, '"../../thimble"');
                assert.deepEqual(
                  objects.PBXProject.P.packageReferences.map(({ value }) => value), [reference]);
                const product = (target) => {
                  const [dependency] = target.packageProductDependencies;
                  const phase = objects.PBXFrameworksBuildPhase[target.buildPhases.at(-1).value];
                  const [file] = phase.files;
                  assert.equal(objects.PBXBuildFile[file.value].productRef, dependency.value);
                  return objects.XCSwiftPackageProductDependency[dependency.value].productName;
                };
                assert.equal(product(objects.PBXNativeTarget.S), "NotificationAdapters");
                assert.equal(product(objects.PBXNativeTarget.C), "NotificationContentAdapter");
                delete objects.PBXNativeTarget.C;
                assert.throws(() => addPackage(objects, null), /no target DailyContent/);
                """
            try script.write(
                to: folder.appending(path: "test.js"), atomically: true, encoding: .utf8)
            let run = try Command.shell(
                """
                set -e
                node test.js
                for file in targets/*/*.config.js; do node --check $file; done
                node --input-type=module --check < PictureNotifications/pictureNotifications.js
                """, in: folder)
            #expect(run.code == 0, "\(run.errors)")
        }
    }
}
