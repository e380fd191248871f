// What the page tells a page that frames it, of whatever site. The contract is docs/framing.md.

export interface StreamClosedNotice {
  readonly type: 'fleetglass:stream-closed';
  readonly deviceid: string;
  readonly channel: number;
}

/**
 * Tells the framing page that a stream has closed; nothing when there is none. Any site may frame a video page unless the
 * server forbids it, so the notice goes to whatever site that is, and holds nothing that opens a stream.
 */
export function tellStreamClosed(deviceid: string, channel: number, scope: Window = window): void {
  if (scope.parent === scope) return;
  const notice: StreamClosedNotice = { type: 'fleetglass:stream-closed', deviceid, channel };
  scope.parent.postMessage(notice, '*');
}
