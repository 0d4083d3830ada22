/** Where TLS to machines ends: on them, at a network load balancer, at CloudFront, or nowhere. */
export const MACHINE_TLS = ['box', 'balancer', 'cloudfront', 'none'] as const;
