/** @type {import('@bacons/apple-targets/app.plugin').Config} */
module.exports = {
  type: "notification-content",
  name: "__CONTENT__",
  bundleIdentifier: ".content",
  deploymentTarget: "16.4",
  frameworks: ["UserNotifications", "UserNotificationsUI"],
};
