/** The header by which the front door proves to API Gateway that a handshake comes through it. */
export const DOOR_HEADER = 'x-flagwire-door';
