/** Advice for operators when Google rejects the account, keyed by Google's error code. */
export const fcmAdvice: Readonly<Record<string, string>> = {
  NOT_FOUND: 'the project does not exist; use the service-account file of the project that the app is built with',
  IAM_PERMISSION_DENIED:
    'the service account has no permission to send for this project; grant it a role, or use the file of the right project',
  SERVICE_DISABLED: 'enable the Firebase Cloud Messaging API (V1) for the project',
  invalid_grant: 'check that the key of the service account has not been deleted and that the clock is correct',
};
