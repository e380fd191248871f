// Which channels a request is for. Pure.

/**
 * None named are all cameras. Undefined: one that the device lacks is named. `cameras` is empty until a device without a count
 * of channels in its record has told of them: then any may be named, since a request waits for the device anyway.
 */
export function requestedChannels(named: readonly number[], cameras: readonly number[]): readonly number[] | undefined {
  if (named.length === 0) return cameras;
  return cameras.length === 0 || named.every((channel) => cameras.includes(channel)) ? named : undefined;
}
