// The street map's colours in both schemes of the page. Quiet ones: what stands out on the map are the devices.

export interface StreetColours {
  readonly built: string;
  readonly industry: string;
  readonly park: string;
  readonly wood: string;
  readonly building: string;
  readonly buildingEdge: string;
  readonly motorway: string;
  readonly major: string;
  readonly minor: string;
  /** Beside roads, so that they stand out from the land. */
  readonly casing: string;
  readonly path: string;
  readonly rail: string;
  readonly waterText: string;
  readonly poiText: string;
  readonly roadText: string;
}

export const LIGHT_STREETS: StreetColours = {
  built: '#efede6',
  industry: '#e9e6ea',
  park: '#d9ead0',
  wood: '#cfe2c6',
  building: '#e2ded4',
  buildingEdge: '#d3cec2',
  motorway: '#f6c986',
  major: '#fbe3a8',
  minor: '#ffffff',
  casing: '#c9c5ba',
  path: '#bdb6a6',
  rail: '#a9aeb5',
  waterText: '#3d6488',
  poiText: '#5a5f45',
  roadText: '#4d535b',
};

export const DARK_STREETS: StreetColours = {
  built: '#2d3641',
  industry: '#323744',
  park: '#26392f',
  wood: '#233429',
  building: '#37424e',
  buildingEdge: '#414d5a',
  motorway: '#8a6d3f',
  major: '#6f6347',
  minor: '#4a5663',
  casing: '#1d242c',
  path: '#566270',
  rail: '#6a7480',
  waterText: '#86a9c9',
  poiText: '#aab59a',
  roadText: '#c3ccd6',
};
