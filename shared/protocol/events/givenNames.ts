// Which of the names that administrators have given is shown.
import type { Locale } from '../locale.ts';

/** Names as the gateway stores them; '' where none was given. */
export interface GivenNames {
  readonly nameEn: string;
  readonly nameZh: string;
  readonly nameJp: string;
}

/**
 * The name in the user's language; where there is none, the English name. `builtIn`: what it is called in the user's language
 * unless an administrator has renamed it.
 */
export function shownName(names: GivenNames, locale: Locale, builtIn: string): string {
  const given = [nameIn(names, locale), names.nameEn].find((name) => name !== '');
  return given ?? builtIn;
}

function nameIn({ nameEn, nameZh, nameJp }: GivenNames, locale: Locale): string {
  switch (locale) {
    case 'en':
      return nameEn;
    case 'zh-TW':
      return nameZh;
    case 'jp':
      return nameJp;
  }
}
