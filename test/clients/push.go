package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	carillon "example.com/carillon"
)

func main() {
	userIds := []int64{1<<53 + 1, 1<<63 - 1}
	configuration := carillon.NewConfiguration()
	configuration.Servers = carillon.ServerConfigurations{{URL: os.Getenv("CARILLON_URL")}}
	client := carillon.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), carillon.ContextAPIKeys, map[string]carillon.APIKey{
		"app_id":       {Key: os.Getenv("CARILLON_APP_ID")},
		"access_token": {Key: os.Getenv("CARILLON_TOKEN")},
	})

	message := carillon.NewMessage()
	message.SetTitle("Hello")
	message.SetBody("Sent from Go")
	audience := carillon.Audience{AudienceSelection: &carillon.AudienceSelection{UserId: userIds}}
	request := carillon.NewPushNotifyRequest(audience, *message)
	push, _, err := client.PushAPI.PushNotify(ctx).PushNotifyRequest(*request).Execute()
	exitOn(err)
	values := []string{fmt.Sprint(push.Data.TaskId)}
	for _, userId := range userIds {
		find := carillon.NewAdminUserFindRequest()
		find.SetUserId(userId)
		found, _, err := client.AdminUserAPI.AdminUserFind(ctx).AdminUserFindRequest(*find).Execute()
		exitOn(err)
		values = append(values, fmt.Sprint(found.Data.UserId))
	}
	exitOn(json.NewEncoder(os.Stdout).Encode(values))
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
