/** Advice for operators when Google rejects the account, keyed by Google's error code. */
export const fcmAdvice: Readonly<Record<string, string>> = {
  NOT_FOUND: 'there is no such project: give the service-account file of the project that the app is built with',
  IAM_PERMISSION_DENIED:
    'the service account may not send for this project: give it the role for it, or the file of the right project',
  SERVICE_DISABLED: 'enable the Firebase Cloud Messaging API (V1) of the project',
  invalid_grant: 'check that the key of the service account was not deleted, and that the clock is right',
};
