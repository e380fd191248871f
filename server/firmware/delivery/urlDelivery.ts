// An image that the terminal fetches itself, from this gateway's own servers.

import type { MessageBody } from '../../device/jt808/codec/message.ts';
import type { CommandResult } from '../../device/terminalSession.ts';
import type { FtpLogins } from '../../ftp/ftpLogin.ts';
import type { ImageLinks } from '../images/imageLinks.ts';
import type { DeliveryOutcome, DeliveryRequest } from './delivery.ts';
import { type DownloadEnd, DownloadWatch } from './downloadWatch.ts';
import { ABORTED, lasting, ofCommand, passing } from './faults.ts';
import { type ImageAddress, templateOrder, upgradeOrder, wantsUrl } from './upgradeOrders.ts';

export interface UrlDeliveryDeps {
  readonly links: ImageLinks;
  readonly ftpLogins: FtpLogins;
  readonly now: () => number;
  readonly runAfter: (delayMs: number, run: () => void) => () => void;
}

interface OpenedAddress {
  readonly address: ImageAddress;
  readonly close: () => void;
}

const ADDRESS_LIFETIME_MS = 60 * 60_000;
/** What has been handed to the socket is not at the terminal yet, and closing an address ends its connections. */
export const CLOSED_LATER_MS = 60_000;

export class UrlDelivery {
  readonly #deps: UrlDeliveryDeps;
  /** Addresses of images that were fetched. */
  readonly #closing = new Set<() => void>();

  constructor(deps: UrlDeliveryDeps) {
    this.#deps = deps;
  }

  async deliver(request: DeliveryRequest): Promise<DeliveryOutcome> {
    const { image, signal, onProgress, model } = request;
    if (signal.aborted) return ABORTED;
    const isTemplate = model.method === 'text' || model.method === 'passthrough';
    if (isTemplate && !wantsUrl(model)) return lasting('protocol-error', "the model's template names no address");
    const watch = new DownloadWatch({ bytes: image.bytes, signal, onProgress, runAfter: this.#deps.runAfter });
    const opened = this.#open(request, (offset, bytes) => watch.note(offset, bytes));
    let isFetched = false;
    try {
      if (opened === undefined) return passing('internal', 'too many downloads are open');
      const { address } = opened;
      const order = isTemplate ? templateOrder(model, image, address.url) : upgradeOrder(address, image);
      if (order === undefined) return lasting('protocol-error', 'vendor or version has a semicolon');
      const outcome = await follow(request, order, watch);
      isFetched = outcome.ok;
      return outcome;
    } finally {
      watch.close();
      if (opened !== undefined) this.#close(opened, isFetched);
    }
  }

  /** Addresses that are kept for a while are closed at once. */
  close(): void {
    for (const close of [...this.#closing]) close();
  }

  #close({ close }: OpenedAddress, isFetched: boolean): void {
    if (!isFetched) {
      close();
      return;
    }
    const closeOnce = (): void => {
      if (!this.#closing.delete(closeOnce)) return;
      cancel();
      close();
    };
    const cancel = this.#deps.runAfter(CLOSED_LATER_MS, closeOnce);
    this.#closing.add(closeOnce);
  }

  #open(request: DeliveryRequest, onBytes: (offset: number, bytes: number) => void): OpenedAddress | undefined {
    const { session, image, model, beforeEnd } = request;
    const untilMs = this.#deps.now() + ADDRESS_LIFETIME_MS;
    if (model.method !== 'ftp') {
      const link = this.#deps.links.open({ session, image, untilMs, onBytes, beforeEnd });
      return link === undefined ? undefined : { address: addressOfUrl(link.url), close: () => link.close() };
    }
    const { deviceId, incarnation, remoteAddress, localAddress, relaxedMediaAddress } = session;
    const login = this.#deps.ftpLogins.open({
      kind: 'download',
      deviceId,
      incarnation,
      remoteAddress: relaxedMediaAddress ? undefined : remoteAddress,
      localAddress,
      untilMs,
      file: image.file,
      bytes: image.bytes,
      onBytes,
      beforeEnd,
    });
    if (login === undefined) return undefined;
    const { host, port, user, password, path } = login.address;
    const url = `ftp://${host.includes(':') ? `[${host}]` : host}:${port}${path}`;
    return { address: { url, host, port, user, password }, close: login.close };
  }
}

/** Some terminals fetch the image before they answer, and some never answer, or begin minutes later. */
async function follow(request: DeliveryRequest, order: MessageBody, watch: DownloadWatch): Promise<DeliveryOutcome> {
  const first: CommandResult | DownloadEnd = await Promise.race([request.session.command(order), watch.result]);
  if (typeof first === 'string') return ofEnd(first);
  const isOver = !first.ok && (first.reason === 'refused' || (first.reason === 'closed' && !watch.hasBegun));
  if (isOver) return ofCommand(first);
  return ofEnd(await watch.result);
}

function ofEnd(end: DownloadEnd): DeliveryOutcome {
  switch (end) {
    case 'complete':
      return { ok: true };
    case 'stalled':
      return passing('no-answer', 'no byte was fetched for 15 minutes');
    case 'aborted':
      return ABORTED;
  }
}

function addressOfUrl(url: string): ImageAddress {
  const { hostname, port, protocol } = new URL(url);
  const usual = protocol === 'https:' ? 443 : 80;
  return { url, host: hostname, port: port === '' ? usual : Number(port), user: '', password: '' };
}
