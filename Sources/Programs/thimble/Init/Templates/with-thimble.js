// An Expo config plugin: the app's entitlements, and Thimble's Swift package in both extensions, whose
// targets @bacons/apple-targets makes. It runs after all other plugins.
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");

const appGroup = "__APP_GROUP__";
const location = "__PACKAGE__";
const minimumVersion = "__VERSION__";
const products = {
  __SERVICE__: "NotificationAdapters",
  __CONTENT__: "NotificationContentAdapter",
};

/** An identifier of an object in a project: 24 digits, the same for the same text. */
const identifier = (text) =>
  crypto.createHash("sha256").update(text).digest("hex").slice(0, 24).toUpperCase();

const unquoted = (text) => String(text).replace(/^"(.*)"$/, "$1");

/** The objects of a section, without their comments. */
const entries = (section) =>
  Object.entries(section ?? {}).filter(([key]) => !key.endsWith("_comment"));

function add(objects, isa, key, values, comment) {
  objects[isa] ??= {};
  objects[isa][key] = { isa, ...values };
  objects[isa][`${key}_comment`] = comment;
}

/** The path of the package from the project's folder; null for a URL. */
const packageFolder = (projectRoot, platformProjectRoot) =>
  location.includes("://") || location.startsWith("git@")
    ? null
    : path.relative(platformProjectRoot, path.resolve(projectRoot, location));

/**
 * Adds a package and its products to the objects of a project.
 *
 * @param objects the objects by kind, as the npm package `xcode` parses them
 * @param folder the path of the package from the project's folder; null for the URL
 */
function addPackage(objects, folder) {
  const isa = folder === null ? "XCRemoteSwiftPackageReference" : "XCLocalSwiftPackageReference";
  const reference = { value: identifier(`${isa} ${location}`), comment: `${isa} "thimble"` };
  const place =
    folder === null
      ? {
          repositoryURL: JSON.stringify(location),
          requirement: { kind: "upToNextMajorVersion", minimumVersion },
        }
      : { relativePath: JSON.stringify(folder) };
  add(objects, isa, reference.value, place, reference.comment);
  for (const [, project] of entries(objects.PBXProject)) {
    project.packageReferences ??= [];
    if (!project.packageReferences.some(({ value }) => value === reference.value)) {
      project.packageReferences.push(reference);
    }
  }
  for (const [name, product] of Object.entries(products)) {
    const target = entries(objects.PBXNativeTarget)
      .map(([, target]) => target)
      .find((target) => unquoted(target.name) === name);
    if (!target) {
      throw new Error(`with-thimble: the project has no target ${name}; list it after @bacons/apple-targets`);
    }
    addProduct(objects, target, name, product, folder === null ? reference : null);
  }
}

function addProduct(objects, target, name, product, reference) {
  const dependency = { value: identifier(`dependency ${name} ${product}`), comment: product };
  target.packageProductDependencies ??= [];
  if (target.packageProductDependencies.some(({ value }) => value === dependency.value)) {
    return;
  }
  target.packageProductDependencies.push(dependency);
  add(
    objects,
    "XCSwiftPackageProductDependency",
    dependency.value,
    {
      // Xcode finds a local package by its product.
      ...(reference && { package: reference.value, package_comment: reference.comment }),
      productName: product,
    },
    product
  );
  const file = { value: identifier(`file ${name} ${product}`), comment: `${product} in Frameworks` };
  add(
    objects,
    "PBXBuildFile",
    file.value,
    { productRef: dependency.value, productRef_comment: product },
    file.comment
  );
  let phase = target.buildPhases.find(({ value }) => objects.PBXFrameworksBuildPhase?.[value]);
  if (!phase) {
    phase = { value: identifier(`frameworks ${name}`), comment: "Frameworks" };
    add(
      objects,
      "PBXFrameworksBuildPhase",
      phase.value,
      { buildActionMask: 2147483647, files: [], runOnlyForDeploymentPostprocessing: 0 },
      "Frameworks"
    );
    target.buildPhases.push(phase);
  }
  objects.PBXFrameworksBuildPhase[phase.value].files.push(file);
}

module.exports = function withThimble(config) {
  const { IOSConfig, withEntitlementsPlist, withFinalizedMod } = require("expo/config-plugins");
  config = withEntitlementsPlist(config, (config) => {
    const key = "com.apple.security.application-groups";
    const groups = config.modResults[key] ?? [];
    config.modResults[key] = groups.includes(appGroup) ? groups : [...groups, appGroup];
    config.modResults["aps-environment"] ??= "development";
    return config;
  });
  return withFinalizedMod(config, [
    "ios",
    (config) => {
      const { projectRoot, platformProjectRoot } = config.modRequest;
      const project = IOSConfig.XcodeUtils.getPbxproj(projectRoot);
      addPackage(project.hash.project.objects, packageFolder(projectRoot, platformProjectRoot));
      fs.writeFileSync(project.filepath, project.writeSync());
      return config;
    },
  ]);
};
module.exports.addPackage = addPackage;
module.exports.packageFolder = packageFolder;
