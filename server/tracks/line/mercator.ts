// The plane that maps are drawn on (web mercator), in degrees of longitude at the equator both ways. Pure.

/** Maps end at this latitude, where the plane is as high as it is wide. */
const MAX_LATITUDE = 85.051_128_779_806_59;
const RADIANS = Math.PI / 180;

export function mercatorY(latitude: number): number {
  const shown = Math.min(Math.max(latitude, -MAX_LATITUDE), MAX_LATITUDE);
  return Math.log(Math.tan(Math.PI / 4 + (shown * RADIANS) / 2)) / RADIANS;
}

/** Some hundred meters: within this distance a polynomial of the third degree is accurate to a billionth of a degree. */
const NEAR_DEGREES = 0.005;

/** `mercatorY` of places that follow one another. Most are near the one before, and logarithms would take a fifth of a line's time. */
export class MercatorCourse {
  #latitude = Number.NaN;
  #y = 0;
  #first = 0;
  #second = 0;
  #third = 0;

  y(latitude: number): number {
    const off = latitude - this.#latitude;
    if (!(Math.abs(off) < NEAR_DEGREES)) return this.#begin(latitude);
    return this.#y + off * (this.#first + off * (this.#second + off * this.#third));
  }

  #begin(latitude: number): number {
    const y = mercatorY(latitude);
    // Near the end of maps a polynomial isn't accurate, and the plane ends there.
    if (Math.abs(latitude) > MAX_COURSE_LATITUDE) return y;
    const secant = 1 / Math.cos(latitude * RADIANS);
    const tangent = Math.tan(latitude * RADIANS);
    this.#latitude = latitude;
    this.#y = y;
    this.#first = secant;
    this.#second = (secant * tangent * RADIANS) / 2;
    this.#third = (secant * (tangent * tangent + secant * secant) * RADIANS * RADIANS) / 6;
    return y;
  }
}

const MAX_COURSE_LATITUDE = 85;

/** The same longitude plus the whole turns around the earth that bring it next to another one. */
export function nearestTurn(longitude: number, besideX: number): number {
  return longitude + 360 * Math.round((besideX - longitude) / 360);
}
