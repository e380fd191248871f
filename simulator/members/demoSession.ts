// A member of the demo who calls the gateway as the pages do.
import type { DemoAccount } from '../demoAccounts.ts';

export interface DemoSessionOptions {
  /** Address of the gateway, such as http://localhost:8080. */
  readonly address: string;
  readonly account: DemoAccount;
  readonly fetch: typeof fetch;
}

/** Signs in with its first call. A call that fails gives undefined, and the demo goes on without its result. */
export class DemoSession {
  readonly #options: DemoSessionOptions;
  #cookie: string | undefined;

  constructor(options: DemoSessionOptions) {
    this.#options = options;
  }

  get username(): string {
    return this.#options.account.username;
  }

  get<Answer>(path: string): Promise<Answer | undefined> {
    return this.#call<Answer>(path, {});
  }

  send<Answer>(method: 'POST' | 'PUT', path: string, body: object): Promise<Answer | undefined> {
    return this.#call<Answer>(path, jsonRequest(method, body));
  }

  sendBytes<Answer>(path: string, bytes: Uint8Array): Promise<Answer | undefined> {
    const headers = { 'content-type': 'application/octet-stream' };
    return this.#call<Answer>(path, { method: 'POST', headers, body: Buffer.from(bytes) });
  }

  /** The answers come from this very version, so they have the expected shape. */
  async #call<Answer>(path: string, request: RequestInit): Promise<Answer | undefined> {
    this.#cookie ??= await this.#signIn();
    if (this.#cookie === undefined) return undefined;
    const headers = { ...request.headers, cookie: this.#cookie };
    const response = await this.#fetch(path, { ...request, headers });
    // A restore has ended all sessions: the next call signs in again.
    if (response?.status === 401) this.#cookie = undefined;
    if (response?.ok !== true) return undefined;
    const { data } = (await response.json()) as { readonly data: Answer };
    return data;
  }

  async #signIn(): Promise<string | undefined> {
    const { username, password } = this.#options.account;
    const response = await this.#fetch('/api/user/login', jsonRequest('POST', { username, password }));
    if (response?.ok !== true) return undefined;
    return response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
  }

  /** Undefined when the gateway cannot be reached, such as over TLS with a self-signed certificate. */
  async #fetch(path: string, request: RequestInit): Promise<Response | undefined> {
    try {
      return await this.#options.fetch(new URL(path, this.#options.address), request);
    } catch {
      return undefined;
    }
  }
}

function jsonRequest(method: 'POST' | 'PUT', body: object): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
