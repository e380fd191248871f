/** What a page wrote to its console as an error, or threw without catching. */
export interface ConsoleNoise {
  readonly text: string;
  /** The resource that the browser complains about, or the script that complained. */
  readonly url: string;
}

/** An error that a test provokes on purpose: which address, and what came back from it. */
export interface AllowedNoise {
  readonly url: string | RegExp;
  /** The HTTP status, or `failed` when no answer came (refused, reset, aborted). */
  readonly status: number | 'failed';
}

/** The noise that no entry of `allowed` declares. */
export function undeclared(noise: readonly ConsoleNoise[], allowed: readonly AllowedNoise[]): ConsoleNoise[] {
  return noise.filter((each) => {
    const complaint = networkComplaint(each);
    return complaint === undefined || !allowed.some((entry) => matches(entry, complaint));
  });
}

interface NetworkComplaint {
  readonly url: string;
  readonly status: number | 'failed';
}

/** The address and outcome in the sentences that Chromium writes for a failed request or WebSocket, else nothing. */
function networkComplaint({ text, url }: ConsoleNoise): NetworkComplaint | undefined {
  const answered = /^Failed to load resource: the server responded with a status of (\d{3})/.exec(text);
  if (answered !== null) return { url, status: Number(answered[1]) };
  if (/^Failed to load resource: net::ERR_/.test(text)) return { url, status: 'failed' };
  const socket = /^WebSocket connection to '([^']+)' failed(?:.*Unexpected response code: (\d{3}))?/.exec(text);
  if (socket?.[1] === undefined) return undefined;
  return { url: socket[1], status: socket[2] === undefined ? 'failed' : Number(socket[2]) };
}

function matches(entry: AllowedNoise, complaint: NetworkComplaint): boolean {
  if (entry.status !== complaint.status) return false;
  return typeof entry.url === 'string' ? entry.url === complaint.url : entry.url.test(complaint.url);
}
