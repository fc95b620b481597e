import java.util.ArrayList;
import java.util.List;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.AdminUserApi;
import org.openapitools.client.api.PushApi;
import org.openapitools.client.model.AdminUserFindRequest;
import org.openapitools.client.model.Audience;
import org.openapitools.client.model.AudienceSelection;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.PushNotifyRequest;

public class Push {
  static final List<Long> USER_IDS = List.of((1L << 53) + 1, Long.MAX_VALUE);

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("CARILLON_URL"));
    client.setRequestInterceptor(request -> request
        .header("app_id", System.getenv("CARILLON_APP_ID"))
        .header("access-token", System.getenv("CARILLON_TOKEN")));

    PushNotifyRequest request = new PushNotifyRequest()
        .audience(new Audience(new AudienceSelection().userId(USER_IDS)))
        .message(new Message().title("Hello").body("Sent from Java"));
    List<String> values = new ArrayList<>();
    values.add(new PushApi(client).pushNotify(request, null, null).getData().getTaskId().toString());
    AdminUserApi users = new AdminUserApi(client);
    for (Long userId : USER_IDS) {
      AdminUserFindRequest find = new AdminUserFindRequest().userId(userId);
      values.add(users.adminUserFind(null, find).getData().getUserId().toString());
    }
    System.out.println("[\"" + String.join("\",\"", values) + "\"]");
  }
}
