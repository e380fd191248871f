// What the bench says to its processes, and hears of them.

export interface ServerReady {
  readonly type: 'ready';
  readonly relayPort: number;
  readonly terminalPort: number;
}

export interface ToServer {
  readonly type: 'deliver';
  readonly file: string;
  readonly bytes: number;
}

export interface Delivered {
  readonly type: 'delivered';
  readonly terminals: number;
  readonly failed: number;
  readonly seconds: number;
  /** Of the whole process, above what it had before. */
  readonly grownMib: number;
}

export interface TerminalsOnline {
  readonly type: 'online';
}
