import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import type { CheckedCertificate, GivenCertificate } from '../certificates.ts';
import { checkOptions, readOptions, requireWord, text, textOf, texts } from '../tokens/credential-checks.ts';
import type { VendorAccount } from '../vendor.ts';

export interface XiaomiCredentials {
  readonly appSecret: string;
  /** The app's packages; the first one has the sounds. */
  readonly packageNames: readonly string[];
  /** For messages that do not say their own. */
  readonly channelId: string | undefined;
  /** Messages of the private class are made by a template. */
  readonly templateId: string | undefined;
}

/** The AppSecret goes into every request as it is. */
export function xiaomiCredentials({ appSecret, certificate }: VendorAccount): XiaomiCredentials {
  const { channel_id, template_id } = readOptions(certificate);
  return {
    appSecret,
    packageNames: packageNamesOf(certificate),
    channelId: textOf(channel_id) || undefined,
    templateId: textOf(template_id) || undefined,
  };
}

/** Our server needs the AppSecret alone; AppID and AppKey are for the app on the phone, which asks us for them. */
export function checkXiaomi(given: GivenCertificate): CheckedCertificate {
  const certificate = checkOptions(given.certificate, { package_names: texts, channel_id: text, template_id: text });
  if (packageNamesOf(certificate).length === 0)
    throw new Problem(
      'bad-parameter',
      'certificate must be a JSON that names the app\'s packages, such as {"package_names": ["com.example.app"]}: Xiaomi sends to no app without them.',
    );
  return {
    vendorAppId: requireWord(given.vendorAppId, 'app_id', "Xiaomi's AppID"),
    appKey: requireWord(given.appKey, 'app_key', "Xiaomi's AppKey"),
    appSecret: requireWord(given.appSecret, 'app_secret', "Xiaomi's AppSecret"),
    certificate,
    expiresAt: null,
  };
}

function packageNamesOf(certificate: string): readonly string[] {
  const names = readOptions(certificate).package_names;
  return Array.isArray(names) ? names.map((name) => textOf(name).trim()).filter((name) => !isBlank(name)) : [];
}
