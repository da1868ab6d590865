/** @type {import('@bacons/apple-targets/app.plugin').Config} */
module.exports = {
  type: "notification-service",
  name: "__SERVICE__",
  bundleIdentifier: ".service",
  deploymentTarget: "16.4",
  frameworks: ["UserNotifications"],
};
