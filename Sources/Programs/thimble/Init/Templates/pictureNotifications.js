import * as Notifications from "expo-notifications";

/** The category of notifications with a picture, as in the content extension's Info.plist. */
export const category = "__CATEGORY__";

/** Registers the category; call it when the app starts. */
export function registerPictureNotifications() {
  return Notifications.setNotificationCategoryAsync(category, []);
}
