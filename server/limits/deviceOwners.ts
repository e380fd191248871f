/** Which member group a device's things count for, where member groups share what is bounded. */
export interface DeviceOwners {
  /** The owner, of several the one that is there longest; 0 for a device that belongs to none. */
  ofDevice(deviceId: string): number;
  /** The same by the number that the device's events lie under. */
  ofArchive(archiveNumber: number): number;
  /** Member groups that have devices. */
  readonly count: number;
}
