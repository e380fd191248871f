// Areas of terminals in memory, as the store keeps them.
import type {
  AreaChange,
  AreaDevice,
  LostAreaOrder,
  StoredArea,
  TerminalAreaStore,
} from '../../../../../server/store/fences/terminalAreas.ts';
import { wallMs } from '../../../../../shared/protocol/time.ts';

type Key = Pick<StoredArea, 'fence' | 'device' | 'orderId'>;

export class FakeAreaStore implements TerminalAreaStore {
  #areas: StoredArea[] = [];
  /** The tests say so. */
  lost: LostAreaOrder[] = [];
  /** Fences whose areas are to go. */
  readonly gone = new Set<number>();

  get areas(): readonly StoredArea[] {
    return this.#areas;
  }

  async find(fence: number, { deviceId }: AreaDevice): Promise<StoredArea | undefined> {
    return this.#areas.find((area) => area.fence === fence && area.device.deviceId === deviceId);
  }

  async findByOrder(orderId: number): Promise<StoredArea | undefined> {
    return this.#areas.find((area) => area.orderId === orderId);
  }

  async ofFence(fence: number): Promise<StoredArea[]> {
    return this.#areas.filter((area) => area.fence === fence);
  }

  async ofDevice({ deviceId }: AreaDevice): Promise<StoredArea[]> {
    return this.#areas.filter((area) => area.device.deviceId === deviceId);
  }

  async put(area: StoredArea): Promise<void> {
    const isSame = (each: StoredArea) => each.fence === area.fence && each.device.deviceId === area.device.deviceId;
    this.#areas = [...this.#areas.filter((each) => !isSame(each)), area];
  }

  async setState(key: Key, { state, note, atMs }: AreaChange): Promise<void> {
    this.#areas = this.#areas.map((area) =>
      isArea(area, key) ? { ...area, state, note, changedAtMs: wallMs(atMs) } : area,
    );
  }

  async remove(key: Key): Promise<void> {
    this.#areas = this.#areas.filter((area) => !isArea(area, key));
  }

  async unconfirmed(): Promise<string[]> {
    return this.#areas.filter(({ state }) => state === 'sent').map(({ device }) => device.deviceId);
  }

  async waitingWithoutOrder(): Promise<LostAreaOrder[]> {
    return this.lost;
  }

  async strays(limit: number): Promise<StoredArea[]> {
    return this.#areas.filter(({ fence, isWanted }) => isWanted && this.gone.has(fence)).slice(0, limit);
  }

  async forgetFormer(): Promise<void> {}
}

function isArea(area: StoredArea, { fence, device, orderId }: Key): boolean {
  return area.fence === fence && area.device.deviceId === device.deviceId && area.orderId === orderId;
}
