// Which channels a request is for. Pure.

/**
 * No names mean all cameras. Undefined: a named one is missing in the device. `cameras` is empty until a device without a count of
 * channels in its record has reported them: then any may be named, since a request waits for the device anyway.
 */
export function requestedChannels(named: readonly number[], cameras: readonly number[]): readonly number[] | undefined {
  if (named.length === 0) return cameras;
  return cameras.length === 0 || named.every((channel) => cameras.includes(channel)) ? named : undefined;
}
