// The address that terminals are given for downloads. Pure.

/** Path of the `GET` and `HEAD` requests; the secret follows it. */
export const IMAGE_DOWNLOAD_PATH = '/firmware/';

export interface ImageAddressParts {
  /** FIRMWARE_URL: has precedence over everything else. */
  readonly firmwareUrl: string | undefined;
  /** PUBLIC_HOST. */
  readonly publicHost: string | undefined;
  readonly isTls: boolean;
  readonly port: number;
}

/** The base URL with a slash at its end. `localAddress`: the address that the terminal has dialed for its signaling. */
export function imageBaseUrl(parts: ImageAddressParts, localAddress: string): string {
  const { firmwareUrl, publicHost, isTls, port } = parts;
  if (firmwareUrl !== undefined) return `${firmwareUrl.replace(/\/+$/, '')}${IMAGE_DOWNLOAD_PATH}`;
  const host = publicHost ?? localAddress;
  const named = host.includes(':') ? `[${host}]` : host;
  return `${isTls ? 'https' : 'http'}://${named}:${port}${IMAGE_DOWNLOAD_PATH}`;
}
