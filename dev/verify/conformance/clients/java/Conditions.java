import co.featbit.commons.model.FBUser;
import co.featbit.server.FBClientImp;
import co.featbit.server.FBConfig;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;

/**
 * FeatBit's Java SDK, offline: arguments are a file with a data-sync message and the number of its flags, c0, c1 and so on. A line
 * of standard input is JSON: the text of the user's attribute v, or null where it is missing. The answer is a line with a character
 * for each flag: 1 for true, 0 for false, ! for no value.
 */
class Conditions {
    public static void main(String[] args) throws Exception {
        var config = new FBConfig.Builder().offline(true).streamingURL("ws://127.0.0.1").eventURL("http://127.0.0.1").build();
        var client = new FBClientImp("offline", config);
        client.initializeFromExternalJson(Files.readString(Path.of(args[0])));
        for (var lines = new Scanner(System.in, "UTF-8"); lines.hasNextLine(); ) {
            var text = JsonParser.parseString(lines.nextLine());
            var user = new FBUser.Builder("u1").userName("u1");
            if (!text.isJsonNull()) user.custom("v", text.getAsString());
            var shown = new StringBuilder();
            for (int n = 0; n < Integer.parseInt(args[1]); n++) {
                String value = client.variation("c" + n, user.build(), "none");
                shown.append(value.equals("true") ? '1' : value.equals("false") ? '0' : '!');
            }
            System.out.println(shown);
        }
        client.close();
    }
}
