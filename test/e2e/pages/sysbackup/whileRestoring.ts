/** While the gateway is exchanged, nothing is answered or everything refused; afterwards nobody is signed in. */
export const WHILE_RESTORING = ([503, 401, 'failed'] as const).map((status) => ({ url: /./, status }));
