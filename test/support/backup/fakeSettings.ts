import type { SettingStore } from '../../../server/store/system/settings.ts';

/** The table of settings, without a database. */
export function fakeSettings() {
  const stored = new Map<string, string>();
  const settings: Pick<SettingStore, 'get' | 'set' | 'setOnce' | 'replace'> = {
    get: async (name) => stored.get(name),
    set: async (name, value) => void stored.set(name, value),
    setOnce: async (name, value) => {
      if (!stored.has(name)) stored.set(name, value);
      return stored.get(name) ?? value;
    },
    replace: async (name, before, value) => {
      if (stored.get(name) !== before) return false;
      stored.set(name, value);
      return true;
    },
  };
  return { stored, settings };
}
