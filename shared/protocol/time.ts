// Fleet video mixes device clock, gateway clock and media time, in three units. A plain number ends up in the wrong
// place sooner or later, so each has a type; the constructors convert nothing, they are the caller's word for the unit.

/** Milliseconds since the epoch, UTC. Whose clock it is stands in the field's name. */
export type WallMs = number & { readonly unit: 'wall-ms' };
/** Seconds since the epoch, UTC: the unit of the calls that the specification fixes. */
export type WallSeconds = number & { readonly unit: 'wall-s' };
/** Presentation time inside one stream, microseconds. Its zero means nothing. */
export type MediaUs = number & { readonly unit: 'media-us' };

export const wallMs = (value: number): WallMs => value as WallMs;
export const wallSeconds = (value: number): WallSeconds => value as WallSeconds;
export const mediaUs = (value: number): MediaUs => value as MediaUs;

/** 0 stays 0: on the wire it means that the time is not known. */
export const toWallSeconds = (at: WallMs): WallSeconds => wallSeconds(Math.floor(at / 1000));
