// Which connection brings the files of an alarm: the newest. A terminal that dials again has lost the one before, and the gateway would
// learn that much later: a connection that is half open is silent, as a slow one is.

export interface AlarmConnection {
  /** Ends it, and settles when it holds nothing any more. */
  giveWay(): Promise<void>;
  /** When something came from it last. */
  readonly heardAtMs: number;
}

/** A connection that sends is silent for less, also over a bad mobile network. */
export const STALE_MS = 5_000;

interface Entered {
  readonly deviceId: string;
  readonly connection: AlarmConnection;
}

export class AlarmConnections {
  readonly #byAlarm = new Map<string, Entered>();

  /** Settles when the connection that brought the alarm's files before has ended. */
  async enter(alarmNumber: string, deviceId: string, connection: AlarmConnection): Promise<void> {
    const before = this.#byAlarm.get(alarmNumber);
    this.#byAlarm.set(alarmNumber, { deviceId, connection });
    if (before !== undefined && before.connection !== connection) await before.connection.giveWay();
  }

  leave(alarmNumber: string, connection: AlarmConnection): void {
    if (this.#byAlarm.get(alarmNumber)?.connection === connection) this.#byAlarm.delete(alarmNumber);
  }

  /** Ends the connection of the device that has been silent for longest; false where none is stale. */
  async endStale(deviceId: string, except: AlarmConnection, nowMs: number): Promise<boolean> {
    const others = [...this.#byAlarm.values()].filter(
      (each) =>
        each.deviceId === deviceId && each.connection !== except && nowMs - each.connection.heardAtMs >= STALE_MS,
    );
    const stalest = others.sort((left, right) => left.connection.heardAtMs - right.connection.heardAtMs)[0];
    await stalest?.connection.giveWay();
    return stalest !== undefined;
  }
}
