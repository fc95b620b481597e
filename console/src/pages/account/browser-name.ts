/** The browser or program in a user agent, and its system. Each is undefined if it is not known. */
export interface BrowserName {
  readonly browser: string | undefined;
  readonly system: string | undefined;
}

// Most browsers also contain the names of others: Edge contains Chrome and Safari, so the order matters.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/^carillon-cli/, 'carillon CLI'],
  [/MicroMessenger\//, 'WeChat'],
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|OPiOS\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/HuaweiBrowser\//, 'Huawei Browser'],
  [/MiuiBrowser\//, 'Mi Browser'],
  [/M?QQBrowser\//, 'QQ Browser'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|Chromium\/|CriOS\//, 'Chrome'],
  [/Version\/.*Safari\//, 'Safari'],
  [/^curl\//, 'curl'],
  [/^node$|undici|^Node\.js\//, 'Node.js'],
];

// HarmonyOS and Android contain Linux, and an iPhone contains "like Mac OS X".
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/OpenHarmony|HarmonyOS|ArkWeb/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Macintosh|Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** Returns the names that people use for a user agent. Browsers freeze versions, so these are not useful. */
export function browserName(userAgent: string): BrowserName {
  const first = (names: readonly (readonly [RegExp, string])[]) =>
    names.find(([pattern]) => pattern.test(userAgent))?.[1];
  return { browser: first(browsers), system: first(systems) };
}
