// The terms of each language. Translation files are read once; names that administrators give are read every few seconds.
import type { Locale } from '../../../shared/protocol/locale.ts';
import { type NamedByCode, readTexts, type Texts, typeNames } from '../../localeTexts.ts';
import type { Wording } from './eventValues.ts';
import { MESSAGE_WORDS } from './presets/messageWords.ts';

export interface WordingsDeps {
  readonly eventTypes: { all(): Promise<readonly NamedByCode[]> };
  readonly localesRoot: string;
  readonly now: () => number;
}

const KEPT_MS = 5_000;

interface Kept {
  readonly atMs: number;
  readonly types: Promise<readonly NamedByCode[]>;
  readonly byLanguage: Map<Locale, Promise<Wording>>;
}

export class Wordings {
  readonly #deps: WordingsDeps;
  /** Texts of three files per language. */
  readonly #texts = new Map<string, Promise<Texts>>();
  #kept: Kept | undefined;

  constructor(deps: WordingsDeps) {
    this.#deps = deps;
  }

  async of(language: Locale): Promise<Wording> {
    const kept = this.#current();
    const wording = kept.byLanguage.get(language) ?? this.#wording(language, kept.types);
    kept.byLanguage.set(language, wording);
    try {
      return await wording;
    } catch (error) {
      // The next call reads again.
      if (this.#kept === kept) this.#kept = undefined;
      throw error;
    }
  }

  #current(): Kept {
    const nowMs = this.#deps.now();
    if (this.#kept === undefined || Math.abs(nowMs - this.#kept.atMs) >= KEPT_MS) {
      this.#kept = { atMs: nowMs, types: this.#deps.eventTypes.all(), byLanguage: new Map() };
    }
    return this.#kept;
  }

  async #wording(language: Locale, types: Promise<readonly NamedByCode[]>): Promise<Wording> {
    const [named, typeTexts, eventWords, events] = await Promise.all([
      types,
      this.#textsOf(language, 'EventTypes'),
      this.#textsOf(language, 'EventWords'),
      this.#textsOf(language, 'Events'),
    ]);
    return { typeName: typeNames(named, language, typeTexts), eventWords, events, words: MESSAGE_WORDS[language] };
  }

  async #textsOf(language: Locale, namespace: string): Promise<Texts> {
    const key = `${language}/${namespace}`;
    const reading = this.#texts.get(key) ?? readTexts(this.#deps.localesRoot, language, namespace);
    this.#texts.set(key, reading);
    try {
      return await reading;
    } catch (error) {
      this.#texts.delete(key);
      throw error;
    }
  }
}
