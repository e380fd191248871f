// Whether the gateway answers calls, asked without the client: that it doesn't is expected here, and nothing to be logged.

const READY_PATH = '/readyz';

/** False while it restores a backup, and while nothing answers. */
export async function isGatewayReady(signal: AbortSignal): Promise<boolean> {
  try {
    const { ok } = await fetch(READY_PATH, { cache: 'no-store', signal });
    return ok;
  } catch {
    return false;
  }
}
