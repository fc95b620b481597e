/** English steps to get the credentials of each vendor, one per line. */
export const setupStepsEn = {
  apns: `Sign in at developer.apple.com/account as an admin or as the account holder.
Open Certificates, Identifiers & Profiles > Identifiers. Register your bundle ID, and enable Push Notifications.
Open Keys and select +. Choose Apple Push Notifications service (APNs) and Sandbox & Production.
Select Register and Download. You can download AuthKey_….p8 only once.
Copy the Key ID next to the key, and the Team ID from Membership details.`,
  fcm: `At console.firebase.google.com, open the project of your app.
Open Project settings > Cloud Messaging. Check that Firebase Cloud Messaging API (V1) is enabled.
Open Project settings > Service accounts. Select Generate new private key. You can download the file only once.
Drop the file into the form. google-services.json is another file, which the app needs.`,
  harmony: `Register at developer.huawei.com and verify your identity.
In AppGallery Connect, open My projects and add an app with the platform HarmonyOS.
Open Grow > Push Kit and select Enable now.
At developer.huawei.com, open Console > API services > Credentials > Service account key. Create a key and download it.
Apply for self-classification in Push Kit > Settings. Otherwise, all messages count as marketing.
To recall notifications, copy the Client ID from Project settings > General information.`,
  honor: `Register at developer.honor.com as a company.
Open Ecosystem services > App management, and add your app with its package name.
Open Ecosystem services > Push service, and apply with the SHA-256 fingerprint of the signing certificate.
Open Push service, select the app and then View. Copy the App ID, the Client ID and the Client Secret.
Do not copy the App Secret, which only the app uses.`,
  huawei: `Register at developer.huawei.com and verify your identity.
In AppGallery Connect, open My projects and add an app with the platform Android.
Open Project settings > General information. Copy the App ID and the App secret (client secret).
Open Grow > Push Kit and select Enable now.
Apply for self-classification in Push Kit > Settings. Otherwise, all messages count as marketing.
Set the project ID only if several apps share one sender.`,
  flyme: `Register at open.flyme.cn and complete the verification.
At push.meizu.com, select New app, and enter the package name of your app.
Open Configuration > App information. Copy the AppId, the AppKey and the AppSecret.
To send chats and orders as private messages, apply for this class in the same console.`,
  oppo: `Register as a company at open.oppomobile.com, and publish the app in OPPO's store.
Open Push service, and apply for the service for your app.
Open Configuration > App configuration. Copy the AppKey and the MasterSecret, not the AppSecret.
Copy the AppID from the details of the app.
Open Channels, and register the notification channels of the app.`,
  vivo: `Register at dev.vivo.com.cn as a company, and upload the app to vivo's store.
Open Push > Create an app. Until vivo has reviewed the app, use the development environment.
Open App information. Copy the AppID, the AppKey and the AppSecret.
To send chats as system messages, apply for their class in Message classification.
To get receipts, enter the receipts URL at vivo. Then save its number here as callback_id.`,
  webpush: `Choose a contact for the operators of push services: an email address or a web page.
Choose the page that opens when a user selects a notification. Save it as navigate.
If your site already uses Web Push, enter its VAPID key pair. Otherwise, Carillon creates one.
Keep the key pair. If it is lost, all users must subscribe again.`,
  xiaomi: `Register as a company at dev.mi.com, and create an app with your package name.
Open Push service, and enable push for the app.
Open App information. Copy the AppID, the AppKey and the AppSecret.
Open Channels, and apply for a channel. Save its number here as channel_id.
For a private channel, choose a template, and save its ID here as template_id.`,
};
