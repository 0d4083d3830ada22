import type { Requests } from './api.ts';

/** What a person needs for a request: to see everything, to change one environment's flags, or to change everything. */
export type Right = 'viewer' | 'editor' | 'administrator';

/** The right that each request needs. `editor`: of its `:env`. */
export const RIGHTS: Readonly<Record<keyof Requests, Right>> = {
  'GET context': 'viewer',
  'GET environments': 'viewer',
  'POST environments': 'administrator',
  'GET environments/:env': 'viewer',
  'PATCH environments/:env': 'administrator',
  'GET environments/:env/look': 'viewer',
  'GET environments/:env/elsewhere': 'viewer',
  'PUT environments/:env/document': 'editor',
  'POST environments/:env/copy': 'editor',
  'PATCH environments/:env/flags': 'editor',
  'GET attention': 'viewer',
  'GET environments/:env/history': 'viewer',
  'GET environments/:env/past': 'viewer',
  'GET environments/:env/receipt': 'viewer',
  'GET environments/:env/usage': 'viewer',
  'GET environments/:env/activity': 'viewer',
  'POST environments/:env/undo': 'editor',
  'GET environments/:env/plans': 'viewer',
  'POST environments/:env/plans': 'editor',
  'POST environments/:env/rollouts': 'editor',
  'POST environments/:env/plans/:plan': 'editor',
  'POST environments/:env/secrets': 'administrator',
  'POST environments/:env/secrets/:secret/rotate': 'administrator',
  'POST environments/:env/secrets/:secret/revoke': 'administrator',
};
