// Results as calls and mails read them: the files are opened in a thread, never here.

import type { ResultAnswers, ResultRequest } from './resultRequests.ts';
import type { ReportCell } from './sheetCells.ts';

export type AskResults = <Request extends ResultRequest>(request: Request) => Promise<ResultAnswers[Request['type']]>;

type Without<Request, Names extends PropertyKey> = Omit<Request, 'type' | 'file' | Names>;
type Of<Name extends ResultRequest['type']> = Extract<ResultRequest, { readonly type: Name }>;

/** Rows of one answer: the thread that relays video copies them in no time. */
const ROWS_AT_ONCE = 250;

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

  /** All that is visible, in parts, in the order of the report. */
  async *cells(
    file: string,
    given: Without<Of<'begin'>, 'download'>,
  ): AsyncGenerator<readonly (readonly ReportCell[])[]> {
    const download = ++this.#lastDownload;
    const { columns, visible, words } = given;
    await this.#ask({ type: 'begin', file: this.#pathOf(file), download, columns, visible, words });
    try {
      for (;;) {
        const rows = await this.#ask({ type: 'next', download, limit: ROWS_AT_ONCE });
        if (rows.length === 0) return;
        yield rows;
      }
    } finally {
      await this.#ask({ type: 'end', download });
    }
  }
}
