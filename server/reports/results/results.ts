// Results as calls and mails read them: the files are opened in a thread, never here.

import type { ResultAnswers, ResultRequest } from './resultRequests.ts';

export type AskResults = <Request extends ResultRequest>(request: Request) => Promise<ResultAnswers[Request['type']]>;

type Without<Request, Names extends PropertyKey> = Omit<Request, 'type' | 'file' | Names>;
type Of<Name extends ResultRequest['type']> = Extract<ResultRequest, { readonly type: Name }>;

export class Results {
  readonly #ask: AskResults;
  readonly #pathOf: (file: string) => string;
  #lastDownload = 0;

  /** `pathOf`: of a result, by the name that its job has. */
  constructor(ask: AskResults, pathOf: (file: string) => string) {
    this.#ask = ask;
    this.#pathOf = pathOf;
  }

  page(file: string, { query }: Without<Of<'page'>, never>): Promise<ResultAnswers['page']> {
    return this.#ask({ type: 'page', file: this.#pathOf(file), query });
  }

  chart(file: string, { columns, visible }: Without<Of<'chart'>, never>): Promise<ResultAnswers['chart']> {
    return this.#ask({ type: 'chart', file: this.#pathOf(file), columns, visible });
  }

  /** A file for people of all that is visible, in parts. */
  async *content(file: string, given: Without<Of<'begin'>, 'download'>): AsyncGenerator<Uint8Array> {
    const download = ++this.#lastDownload;
    const { layout, visible, words } = given;
    await this.#ask({ type: 'begin', file: this.#pathOf(file), download, layout, visible, words });
    try {
      for (;;) {
        const part = await this.#ask({ type: 'next', download });
        if (part === null) return;
        yield part;
      }
    } finally {
      await this.#ask({ type: 'end', download });
    }
  }
}
