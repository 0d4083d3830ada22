/** Ping interval of FeatBit's JavaScript, Node, Android and React Native SDKs and of its benchmark, in seconds. */
export const SDK_PING_SECONDS = 18;
