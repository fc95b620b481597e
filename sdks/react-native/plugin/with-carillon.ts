import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  addNewIntent,
  addRepositories,
  addStartup,
  addVendorModules,
  ICON_DRAWABLE,
  keepLineEnds,
  keyResources,
  type ParsedManifest,
  setMetadata,
} from './android-files.ts';
import { checkOptions } from './options.ts';

/** A config of Expo with the results of a modification, of which the plugin only reads these. */
interface ModConfig<Results> {
  modResults: Results;
  readonly modRequest: { readonly projectRoot: string; readonly platformProjectRoot: string };
}

interface TextFile {
  contents: string;
}

type Mod<Results> = <Config>(
  config: Config,
  change: <Modified extends ModConfig<Results>>(modified: Modified) => Modified | Promise<Modified>,
) => Config;

/**
 * The functions of `expo/config-plugins` that the plugin uses. They are a parameter, so that this package does not depend
 * on Expo.
 */
export interface ConfigPlugins {
  readonly withProjectBuildGradle: Mod<TextFile>;
  readonly withAppBuildGradle: Mod<TextFile>;
  readonly withMainApplication: Mod<TextFile>;
  readonly withMainActivity: Mod<TextFile>;
  readonly withAndroidManifest: Mod<ParsedManifest>;
  withDangerousMod<Config>(
    config: Config,
    action: [
      platform: 'android',
      change: <Modified extends ModConfig<unknown>>(modified: Modified) => Modified | Promise<Modified>,
    ],
  ): Config;
}

/** Returns the config plugin of this package. `version` is the version of the package, and of the Android SDK. */
export const createPlugin =
  (plugins: ConfigPlugins, version: string) =>
  <Config>(original: Config, given?: unknown): Config => {
    const options = checkOptions(given);
    const change = (edit: (text: string) => string) => {
      return <Modified extends ModConfig<TextFile>>(modified: Modified): Modified => {
        modified.modResults.contents = keepLineEnds(modified.modResults.contents, edit);
        return modified;
      };
    };
    let config = original;
    config = plugins.withProjectBuildGradle(
      config,
      change((text) => addRepositories(text, options)),
    );
    config = plugins.withAppBuildGradle(
      config,
      change((text) => addVendorModules(text, options, version)),
    );
    config = plugins.withMainApplication(config, change(addStartup));
    config = plugins.withMainActivity(
      config,
      change((text) => addNewIntent(text)),
    );
    config = plugins.withAndroidManifest(config, (modified) => {
      setMetadata(modified.modResults, options);
      return modified;
    });
    return plugins.withDangerousMod(config, [
      'android',
      async (modified) => {
        const { projectRoot, platformProjectRoot } = modified.modRequest;
        const resources = join(platformProjectRoot, 'app/src/main/res');
        const icon = join(resources, 'drawable', `${ICON_DRAWABLE}.png`);
        await mkdir(join(resources, 'values'), { recursive: true });
        await writeFile(join(resources, 'values/carillon.xml'), keyResources(options));
        await mkdir(join(resources, 'drawable'), { recursive: true });
        if (options.icon === undefined) await rm(icon, { force: true });
        else await copyFile(join(projectRoot, options.icon), icon);
        return modified;
      },
    ]);
  };
