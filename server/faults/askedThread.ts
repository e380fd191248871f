// A thread that answers questions: the side that asks, which owns it, and the side that answers.
import type { MessagePort, Worker } from 'node:worker_threads';
import { inBackground } from './background.ts';
import { faultOf, type OnFault } from './onFault.ts';
import { type ThreadWatch, UNWATCHED } from './threadWatch.ts';

type ToThread<Question> =
  | { readonly id: number; readonly type: 'question'; readonly question: Question }
  /** Nobody waits for its answer any more. */
  | { readonly id: number; readonly type: 'gone' };

type FromThread<Answer> =
  | { readonly id: number; readonly ok: true; readonly answer: Answer }
  | { readonly id: number; readonly ok: false; readonly message: string };

export interface AskedThread<Question, Answer> {
  /** Rejects with the reason of `gone` once that is aborted, and when the thread ends before it has answered. */
  ask(question: Question, gone?: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

export interface AskedThreadDeps {
  /** In a sentence: `the thread that reads reports`. */
  readonly name: string;
  /** `onEnd` is told of the end of the thread, whatever ended it. */
  readonly start: (onEnd: (error: unknown) => void) => Promise<Worker>;
  readonly onFault: OnFault;
  readonly watch?: ThreadWatch | undefined;
}

/** The thread is started by the first question, and again by the first after its end. */
export function createAskedThread<Question, Answer>(deps: AskedThreadDeps): AskedThread<Question, Answer> {
  return new Asked<Question, Answer>(deps);
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (reason: unknown) => void;
}

class Asked<Question, Answer> implements AskedThread<Question, Answer> {
  readonly #deps: AskedThreadDeps;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #running: Promise<Worker> | undefined;
  #isClosed = false;
  #lastId = 0;

  constructor(deps: AskedThreadDeps) {
    this.#deps = deps;
  }

  async ask(question: Question, gone?: AbortSignal): Promise<Answer> {
    if (this.#isClosed) throw new Error(`${this.#deps.name} is closed`);
    this.#running ??= this.#begin();
    const worker = await this.#running;
    gone?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      const endWatch = (this.#deps.watch ?? UNWATCHED).begin();
      const leave = (): void => {
        this.#waiting.delete(id);
        endWatch();
        send({ id, type: 'gone' });
        reject(gone?.reason);
      };
      const end = (): void => {
        endWatch();
        gone?.removeEventListener('abort', leave);
      };
      const send = (message: ToThread<Question>): void => worker.postMessage(message);
      gone?.addEventListener('abort', leave, { once: true });
      this.#waiting.set(id, {
        resolve: (answer) => {
          end();
          resolve(answer);
        },
        reject: (reason) => {
          end();
          reject(reason);
        },
      });
      send({ id, type: 'question', question });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await (await this.#running)?.terminate();
  }

  async #begin(): Promise<Worker> {
    try {
      const worker = await this.#deps.start((error) => this.#lose(error));
      return worker.on('message', (message: FromThread<Answer>) => this.#take(message));
    } catch (error) {
      // The next question tries again.
      this.#running = undefined;
      throw error;
    }
  }

  #take(message: FromThread<Answer>): void {
    const asked = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.ok) asked?.resolve(message.answer);
    else asked?.reject(new Error(message.message));
  }

  #lose(error: unknown): void {
    this.#running = undefined;
    const reason = faultOf(`${this.#deps.name} ended`, error);
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
    if (!this.#isClosed) this.#deps.onFault(reason);
  }
}

/** Called in the thread. What `answerTo` rejects with is told as its message. */
export function answerQuestions<Question, Answer>(
  port: MessagePort,
  answerTo: (question: Question, gone: AbortSignal) => Answer | Promise<Answer>,
): void {
  const leaving = new Map<number, AbortController>();
  const tell = (message: FromThread<Answer>): void => port.postMessage(message);
  const answer = async (id: number, question: Question): Promise<void> => {
    const gone = new AbortController();
    leaving.set(id, gone);
    try {
      const found = await answerTo(question, gone.signal);
      if (!gone.signal.aborted) tell({ id, ok: true, answer: found });
    } catch (error) {
      if (!gone.signal.aborted)
        tell({ id, ok: false, message: error instanceof Error ? error.message : String(error) });
    } finally {
      leaving.delete(id);
    }
  };
  port.on('message', (message: ToThread<Question>) => {
    if (message.type === 'gone') leaving.get(message.id)?.abort();
    else
      inBackground('a question', answer(message.id, message.question), (error) => {
        throw error;
      });
  });
}
