import { BlockList, isIP } from 'node:net';
import { SettingsError } from './settings.ts';

/** The addresses and networks of a setting, such as `10.0.0.7, 10.1.0.0/16`. */
export class Networks {
  readonly size: number;
  readonly #list = new BlockList();

  constructor(setting: string, text: string) {
    const items = text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean);
    this.size = items.length;
    for (const [i, item] of items.entries())
      if (!this.#add(item))
        throw new SettingsError([
          `${setting}: item ${i + 1} is neither an address nor a network, such as 10.0.0.7 or 10.1.0.0/16`,
        ]);
  }

  has(address: string | undefined): boolean {
    const family = isIP(address ?? '');
    return family !== 0 && this.#list.check(address as string, family === 6 ? 'ipv6' : 'ipv4');
  }

  #add(item: string): boolean {
    const [, address = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(item) ?? [];
    const family = isIP(address);
    const bitsMax = family === 6 ? 128 : 32;
    const bits = Number(prefix ?? bitsMax);
    if (family === 0 || bits > bitsMax) return false;
    this.#list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4');
    return true;
  }
}
