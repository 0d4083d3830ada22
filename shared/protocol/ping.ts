/** Seconds between two pings of FeatBit's JavaScript, Node, Android and React Native SDKs, and of its benchmark. */
export const SDK_PING_SECONDS = 18;
