// The order in which the demo opens its parts: whatever ends it, nothing of it stays behind.
import type { Gateway } from '../server/app/gateway.ts';
import type { ProcessGuard } from '../server/process/processGuard.ts';

/** Vehicles, and members who work with the gateway as people do. */
export interface DemoActor {
  start(): void;
  stop(): void;
}

/** What the gateway was filled with. */
export interface DemoContent {
  /** They tell the user of it. */
  readonly lines: readonly string[];
}

export interface DemoParts<Served extends Pick<Gateway, 'close'>, Content extends DemoContent> {
  readonly guard: Pick<ProcessGuard, 'closeBy'>;
  readonly start: () => Promise<Served>;
  /** Adds accounts, devices and links. */
  readonly fill: (gateway: Served) => Promise<Content>;
  readonly createActors: (gateway: Served, content: Content) => Promise<readonly DemoActor[]>;
  /** Removes what the gateway has written, which must be closed. */
  readonly removeFolder: () => void;
}

/** Resolves with the lines once the vehicles dial in. */
export async function startDemo<Served extends Pick<Gateway, 'close'>, Content extends DemoContent>(
  parts: DemoParts<Served, Content>,
): Promise<readonly string[]> {
  const gateway = await parts.start();
  let actors: readonly DemoActor[] = [];
  const close = async (): Promise<void> => {
    for (const actor of actors) actor.stop();
    await gateway.close();
    parts.removeFolder();
  };
  parts.guard.closeBy(close);
  try {
    const content = await parts.fill(gateway);
    actors = await parts.createActors(gateway, content);
    for (const actor of actors) actor.start();
    return content.lines;
  } catch (error) {
    // A gateway whose accounts nobody was told of must not stay behind.
    await close();
    throw error;
  }
}
