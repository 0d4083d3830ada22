/** The icons of the pages, from Lucide. Each is imported by itself: the package's index would read 1,700 files. */
export { default as Activity } from 'lucide/dist/esm/icons/activity.mjs';
export { default as ArrowLeftRight } from 'lucide/dist/esm/icons/arrow-left-right.mjs';
export { default as CircleDollarSign } from 'lucide/dist/esm/icons/circle-dollar-sign.mjs';
export { default as FlaskConical } from 'lucide/dist/esm/icons/flask-conical.mjs';
export { default as KeyRound } from 'lucide/dist/esm/icons/key-round.mjs';
export { default as LayoutDashboard } from 'lucide/dist/esm/icons/layout-dashboard.mjs';
export { default as Plus } from 'lucide/dist/esm/icons/plus.mjs';
export { default as History } from 'lucide/dist/esm/icons/rotate-ccw-clock.mjs';
export { default as Settings } from 'lucide/dist/esm/icons/settings.mjs';
export { default as ToggleRight } from 'lucide/dist/esm/icons/toggle-right.mjs';
export { default as Users } from 'lucide/dist/esm/icons/users.mjs';
