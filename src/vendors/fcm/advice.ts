import type { Advice } from '../vendor.ts';

/** Advice for operators when Google rejects the account, keyed by Google's error code. */
export const fcmAdvice: Advice = {
  NOT_FOUND: {
    en: 'the project does not exist; use the service-account file of the project that the app is built with',
    zh: '项目不存在；请使用应用所属项目的服务账号文件',
  },
  IAM_PERMISSION_DENIED: {
    en: 'the service account has no permission to send for this project; grant it a role, or use the file of the right project',
    zh: '服务账号没有向此项目发送的权限；请授予角色，或使用正确项目的文件',
  },
  SERVICE_DISABLED: {
    en: 'enable the Firebase Cloud Messaging API (V1) for the project',
    zh: '请为项目启用 Firebase Cloud Messaging API (V1)',
  },
  invalid_grant: {
    en: 'check that the key of the service account has not been deleted and that the clock is correct',
    zh: '请检查服务账号的密钥是否已被删除，以及时钟是否正确',
  },
};
