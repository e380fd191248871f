// Lengths of time and ways as texts that every language reads the same. Pure.

/** h:mm:ss, minutes and seconds alone where there is no hour. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const two = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const tail = `${two(minutes)}:${two(seconds % 60)}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

export function distanceText(metres: number): string {
  return `${(metres / 1_000).toFixed(1)} km`;
}

/** The name of a place, otherwise its coordinates. */
export function placeText(place: string, lat: number, lng: number): string {
  return place === '' ? `${lat.toFixed(5)}, ${lng.toFixed(5)}` : place;
}
