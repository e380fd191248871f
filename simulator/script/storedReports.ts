// What a terminal without a network keeps for later.
import type { MessageBody } from '../../server/device/jt808/codec/message.ts';
import type { Position } from '../../server/device/jt808/codec/messages/position.ts';

/** Beyond it the oldest go. */
const MAX_POSITIONS = 8_000;
const MAX_MESSAGES = 100;
const POSITIONS_A_MESSAGE = 12;
/** 0x0704: sent later because there was no connection. */
const BACK_FILL = 1;

export class StoredReports {
  readonly #positions: Position[] = [];
  readonly #messages: MessageBody[] = [];

  addPosition(position: Position): void {
    this.#positions.push(position);
    if (this.#positions.length > MAX_POSITIONS) this.#positions.shift();
  }

  addMessage(message: MessageBody): void {
    this.#messages.push(message);
    if (this.#messages.length > MAX_MESSAGES) this.#messages.shift();
  }

  /** All of it, as it is sent; afterwards there is nothing any more. */
  take(): MessageBody[] {
    const bulks: MessageBody[] = [];
    while (this.#positions.length > 0) {
      const positions = this.#positions.splice(0, POSITIONS_A_MESSAGE);
      bulks.push({ kind: 'bulkPositions', type: BACK_FILL, positions, brokenItems: 0 });
    }
    return [...bulks, ...this.#messages.splice(0)];
  }
}
