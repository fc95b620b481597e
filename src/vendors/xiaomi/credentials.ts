import { isBlank } from '#src/domain/blank.ts';
import { Problem } from '#src/domain/problem.ts';
import {
  checkOptions,
  type OptionRule,
  readOptions,
  requireWord,
  stringListOption,
  stringOption,
  stringOrEmpty,
} from '../tokens/credential-checks.ts';
import { isObject } from '../translate/response-values.ts';
import type { CertificateInput, CheckedCertificate, VendorAccount } from '../vendor.ts';

export interface XiaomiCredentials {
  readonly appSecret: string;
  /** The app's packages; the first one contains the sounds. */
  readonly packageNames: readonly string[];
  /** Default channel for messages that do not set one. */
  readonly channelId: string | undefined;
  /** Messages of the private class are created from a template. */
  readonly templateId: string | undefined;
  /** The variables of this template, and the message field that each of them gets its value from. */
  readonly templateVariables: TemplateVariables | undefined;
  /** Channels of the private class, whose messages need a template. */
  readonly privateChannelIds: readonly string[];
}

export type TemplateVariables = Readonly<Record<string, string>>;

/** Xiaomi's limit. */
const TEMPLATE_VARIABLES_MAX = 9;
/** `title`, `body`, `big_text`, or the name of a field in `ext`. */
const VARIABLE_SOURCE = /^(title|body|big_text|ext\.[^.]+)$/;

const variablesOption: OptionRule = {
  accepts: (value) => {
    if (!isObject(value)) return false;
    const sources = Object.values(value);
    const areValid = sources.every((source) => typeof source === 'string' && VARIABLE_SOURCE.test(source));
    return areValid && sources.length > 0 && sources.length <= TEMPLATE_VARIABLES_MAX;
  },
  description: `an object with 1 to ${TEMPLATE_VARIABLES_MAX} variables, whose values are title, body, big_text or ext. and the name of a field`,
};

/** Returns the credentials for requests. Every request contains the AppSecret itself. */
export function xiaomiCredentials({ appSecret, certificate }: VendorAccount): XiaomiCredentials {
  const { channel_id, template_id, template_variables, private_channel_ids } = readOptions(certificate);
  return {
    appSecret,
    packageNames: packageNamesOf(certificate),
    channelId: stringOrEmpty(channel_id) || undefined,
    templateId: stringOrEmpty(template_id) || undefined,
    templateVariables: isObject(template_variables) ? (template_variables as TemplateVariables) : undefined,
    privateChannelIds: stringListOption.accepts(private_channel_ids) ? (private_channel_ids as string[]) : [],
  };
}

/**
 * Checks Xiaomi's credentials. The server needs only the AppSecret. AppID and AppKey are for the app on the phone,
 * which requests them from Carillon.
 */
export function checkXiaomiCertificate(input: CertificateInput): CheckedCertificate {
  const certificate = checkOptions(input.certificate, {
    package_names: stringListOption,
    channel_id: stringOption,
    template_id: stringOption,
    template_variables: variablesOption,
    private_channel_ids: stringListOption,
  });
  if (packageNamesOf(certificate).length === 0)
    throw new Problem(
      'bad-parameter',
      'certificate must be a JSON object with the packages of the app, such as {"package_names": ["com.example.app"]}. Xiaomi does not send without them.',
    );
  return {
    vendorAppId: requireWord(input.vendorAppId, 'app_id', "Xiaomi's AppID"),
    appKey: requireWord(input.appKey, 'app_key', "Xiaomi's AppKey"),
    appSecret: requireWord(input.appSecret, 'app_secret', "Xiaomi's AppSecret"),
    certificate,
    expiresAt: null,
  };
}

function packageNamesOf(certificate: string): readonly string[] {
  const names = readOptions(certificate).package_names;
  return Array.isArray(names) ? names.map((name) => stringOrEmpty(name).trim()).filter((name) => !isBlank(name)) : [];
}
