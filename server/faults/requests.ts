// HTTP requests of ours to somewhere else. A request without an `error` listener ends the process when it fails.
import { type ClientRequest, type RequestOptions, request as requestOf } from 'node:http';
import { type RequestOptions as SecureOptions, request as secureRequestOf } from 'node:https';
import { containListeners } from './contain.ts';
import type { OnFault } from './onFault.ts';

/** By the protocol of the options. Whoever sends it listens for `error` or `close` to learn that it failed. */
export function openRequest(options: RequestOptions & SecureOptions, onFault: OnFault): ClientRequest {
  const request = options.protocol === 'https:' ? secureRequestOf(options) : requestOf(options);
  request.on('error', () => request.destroy());
  containListeners(request, onFault, () => request.destroy());
  return request;
}
